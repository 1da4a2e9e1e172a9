"""How different two colours look: CIEDE2000 (Sharma 2005), and sight without one kind of cone (Machado 2009)."""

from __future__ import annotations

import math

Colour = tuple[float, float, float]
SIGHTS = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""By kind of sight the matrix over linear red, green and blue, for the full deficiency."""
XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)


def linear(colour: Colour) -> Colour:
    """sRGB from 0 to 255 as amounts of light from 0 to 1."""
    red, green, blue = (
        part / 255 / 12.92 if part / 255 <= 0.04045 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of WCAG: 1 to 21."""
    low, high = sorted(
        sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True)) for c in (one, other)
    )
    return (high + 0.05) / (low + 0.05)


def lab(colour: Colour, sight: str = "all") -> Colour:
    """sRGB from 0 to 255, as this sight sees it, in CIELAB under D65."""
    seen = [min(1.0, max(0.0, value)) for value in _times(SIGHTS[sight], linear(colour))]
    x, y, z = (_cube_root(value / white) for value, white in zip(_times(XYZ, seen), WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _times(matrix: tuple[tuple[float, ...], ...], vector: list[float] | Colour) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _cube_root(value: float) -> float:
    return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116


def difference(one: Colour, other: Colour) -> float:
    """CIEDE2000 of two colours in CIELAB."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    grey = 0.5 * (1 - math.sqrt(mean**7 / (mean**7 + 25**7)))
    a1, a2 = a1 * (1 + grey), a2 * (1 + grey)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if not c1 * c2 else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if not c1 * c2 else (h1 + h2) / 2 + (180 if abs(h1 - h2) > 180 else 0)
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    cosines = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63))
    t = 1 + sum(share * math.cos(math.radians(times * hue + shift)) for share, times, shift in cosines)
    sl = 1 + 0.015 * (lightness - 50) ** 2 / math.sqrt(20 + (lightness - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    bend = math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2)))
    rotation = -math.sin(bend) * 2 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    dl, dc = (l2 - l1) / sl, (c2 - c1) / sc
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn) / 2) / sh
    return math.sqrt(dl**2 + dc**2 + dh**2 + rotation * dc * dh)
