"""Entry: commands; `--child NAME` is how this program starts a copy of itself for dangerous work."""

import sys


def main() -> int:
    match sys.argv[1:]:
        case ["--child", "crash-handler"]:
            from specchat.cli import crash_handler

            return crash_handler.main()
        case ["--child", "engine"]:
            from specchat import engine_child

            return engine_child.main()
        case ["--child", name]:
            from specchat.backends import children

            return children.main(name)
        case arguments:
            return _run(arguments)


def _run(arguments: list[str]) -> int:
    try:
        from specchat.ui.start.last_resort import EscapesTold

        with EscapesTold(in_window=_opens_window(arguments), in_json="--json" in arguments):
            from specchat import bootstrap

            return bootstrap.run(arguments)
    except KeyboardInterrupt:
        return 130
    return 1


def _opens_window(arguments: list[str]) -> bool:
    from specchat.cli.given_files import given_files

    return not arguments or bool(given_files(arguments))


if __name__ == "__main__":
    sys.exit(main())
