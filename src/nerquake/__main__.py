"""`python -m nerquake`."""

from nerquake.cli.main import main

if __name__ == "__main__":
    main()
