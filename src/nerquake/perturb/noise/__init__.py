"""Surface noise: spelling, case, marks and spacing as careless writers, scanners and keyboards leave them."""
