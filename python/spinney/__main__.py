"""The program `spinney`: `python -m spinney games`."""

import sys

from spinney import _native


def main() -> None:
    """Run the command line."""
    sys.exit(_native.main(["spinney", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
