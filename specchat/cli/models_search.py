"""specchat models search QUERY"""

import argparse
from dataclasses import asdict

from specchat.cli import App
from specchat.cli.argument_types import integer_in_range
from specchat.cli.models_list import model_lines
from specchat.cli.output import print_note, report_error, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.cli.quantities import format_parameters, parse_amount
from specchat.cli.text_table import format_entries, format_table, wrap_text
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubOfflineError
from specchat.domain.hub import Gating, HubQuery, HubSortOrder
from specchat.services.hub.hub_search import FoundModel, HubSearch, HubSearchResults

ACCESS = {Gating.OPEN: "open", Gating.AUTO: "license agreement required", Gating.MANUAL: "access on request"}
UNANSWERED = 1
_MOST_REQUESTS = 20


class ModelsSearchCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("query", metavar="QUERY", nargs="*", help="words in the model name; AUTHOR/ for one author's models")
        add("--author", default="", metavar="NAME", help="only models by this user or organization")
        sortings = [str(sorting) for sorting in HubSortOrder]
        add("--sort", choices=sortings, default="downloads", help="sort order (default: downloads)")
        add(
            "--limit",
            type=integer_in_range(1, 1000),
            default=20,
            metavar="N",
            help="maximum number of results (default: 20)",
        )
        add("--max-size", type=parse_amount, metavar="N", help="maximum number of parameters, such as 8B")
        add("--fits", action="store_true", help="only models that fit in this computer's memory")
        parser.epilog = format_examples(
            "specchat models search qwen3 --max-size 8B", "specchat models search bartowski/ --sort updated"
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        wanted = HubQuery(
            " ".join(arguments.query),
            arguments.author,
            HubSortOrder(arguments.sort),
            arguments.max_size,
            arguments.fits,
        )
        found = _found(app.hub_search(), wanted, arguments.limit)
        if found.offline:
            return _show_offline(found, found.offline, as_json=arguments.json)
        is_more = found.following is not None or len(found.models) > arguments.limit
        models = found.models[: arguments.limit]
        if arguments.json:
            write_json({"models": [_plain(each) for each in models], "more": is_more})
        elif models:
            write_output("\n".join(_lines(models)) + "\n")
            if is_more:
                print_note(f"There may be more: use --limit {2 * arguments.limit}.")
        else:
            print_note("Nothing found. Try fewer words or another spelling.")
        return 0


def _found(search: HubSearch, wanted: HubQuery, limit: int) -> HubSearchResults:
    found = search.search(wanted, CancelToken())
    for _ in range(_MOST_REQUESTS):
        if found.following is None or len(found.models) >= limit:
            break
        found = search.search_more(found, CancelToken())
    return found


def _show_offline(found: HubSearchResults, error: HubOfflineError, *, as_json: bool) -> int:
    """What is here may do as well."""
    report_error(error)
    if as_json:
        here = [str(model.path) for model in found.here]
        write_json({"models": [], "more": False, "here": here, "error": error.message, "hint": error.hint})
    elif found.here:
        write_output("\n".join(["On this computer:", *model_lines(found.here)]) + "\n")
    return UNANSWERED


def _lines(models: tuple[FoundModel, ...]) -> list[str]:
    headings = ("repository", "parameters", "downloads", "updated")
    rows = format_table(headings, [_row(each) for each in models], right=("parameters", "downloads"))
    return format_entries(rows, [wrap_text(_conditions(each)) for each in models])


def _conditions(found: FoundModel) -> str:
    licence = f"license: {found.model.licence}" if found.model.licence else ""
    return ", ".join(filter(None, (f"memory: {found.fit}" if found.fit else "", licence, ACCESS[found.model.gating])))


def _row(found: FoundModel) -> tuple[str, ...]:
    model = found.model
    return (
        model.repo,
        format_parameters(model.parameters),
        f"{model.downloads:,}",
        f"{model.updated:%Y-%m-%d}" if model.updated else "",
    )


def _plain(found: FoundModel) -> dict[str, object]:
    updated = found.model.updated
    plain = asdict(found.model)
    return plain | {"updated": updated.isoformat() if updated else None, "fit": found.fit}
