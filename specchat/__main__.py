"""Entry point: runs a command, opens the window, or runs a child process (`--child NAME`)."""

import sys


def main() -> int:
    match sys.argv[1:]:
        case ["--child", "crash-handler"]:
            from specchat.cli import crash_handler

            return crash_handler.main()
        case ["--child", "engine"]:
            from specchat import engine_child

            return engine_child.main()
        case ["--child", "early-exit"]:
            from specchat import early_exit_child

            return early_exit_child.main()
        case ["--child", name]:
            from specchat.backends import child_registry

            return child_registry.main(name)
        case arguments:
            return _run(arguments)


def _run(arguments: list[str]) -> int:
    try:
        from specchat.ui.start.fatal_errors import StartupErrorReporter

        with StartupErrorReporter(in_window=_opens_window(arguments), in_json="--json" in arguments):
            from specchat import bootstrap

            return bootstrap.run(arguments)
    except KeyboardInterrupt:
        return 130
    return 1


def _opens_window(arguments: list[str]) -> bool:
    from specchat.cli.file_arguments import file_arguments

    return not arguments or bool(file_arguments(arguments))


if __name__ == "__main__":
    sys.exit(main())
