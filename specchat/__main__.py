"""Entry: commands; `--child NAME` is how this program starts a copy of itself for dangerous work."""

import sys


def main() -> int:
    match sys.argv[1:]:
        case ["--child", name]:
            from specchat.backends import children

            return children.main(name)
        case arguments:
            try:
                from specchat import bootstrap
            except KeyboardInterrupt:
                return 130
            return bootstrap.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
