// Not where a place in the page is asked for or comes back: what lies above it has to have its height.
if (!location.hash && (performance.getEntriesByType("navigation")[0] || {}).type === "navigate") document.documentElement.className = "loading";
