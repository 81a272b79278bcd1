"""specchat models search QUERY"""

import argparse
from dataclasses import asdict

from specchat.cli import App
from specchat.cli.amounts import amount, parameters
from specchat.cli.models_list import listed
from specchat.cli.numbers import integer
from specchat.cli.output import note, report, write, write_json
from specchat.cli.parser import examples
from specchat.cli.table import entries, table, wrapped
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import HubOfflineError
from specchat.domain.hub import Gating, Sorting
from specchat.services.hub.search import Found, FoundModel, HubSearch, Wanted

ACCESS = {Gating.OPEN: "open", Gating.AUTO: "accept the licence first", Gating.MANUAL: "ask the authors first"}
UNANSWERED = 1
_MOST_REQUESTS = 20


class ModelsSearch:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("query", metavar="QUERY", nargs="*", help="words of the name; AUTHOR/ for all by one author")
        add("--author", default="", metavar="NAME", help="only what this user or organisation published")
        sortings = [str(sorting) for sorting in Sorting]
        add("--sort", choices=sortings, default="downloads", help="what comes first (default: downloads)")
        add("--limit", type=integer(1, 1000), default=20, metavar="N", help="at most so many (default: 20)")
        add("--max-size", type=amount, metavar="N", help="at most so many parameters, as in 8B")
        add("--fits", action="store_true", help="only what fits into this machine's memory")
        parser.epilog = examples(
            "specchat models search qwen3 --max-size 8B", "specchat models search bartowski/ --sort updated"
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        wanted = Wanted(
            " ".join(arguments.query), arguments.author, Sorting(arguments.sort), arguments.max_size, arguments.fits
        )
        found = _found(app.hub_search(), wanted, arguments.limit)
        if found.offline:
            return _show_offline(found, found.offline, as_json=arguments.json)
        is_more = found.following is not None or len(found.models) > arguments.limit
        models = found.models[: arguments.limit]
        if arguments.json:
            write_json({"models": [_plain(each) for each in models], "more": is_more})
        elif models:
            write("\n".join(_lines(models)) + "\n")
            if is_more:
                note(f"There may be more: --limit {2 * arguments.limit} shows them.")
        else:
            note("Nothing found. Fewer words, or another spelling, may find more.")
        return 0


def _found(search: HubSearch, wanted: Wanted, limit: int) -> Found:
    found = search.search(wanted, CancelToken())
    for _ in range(_MOST_REQUESTS):
        if found.following is None or len(found.models) >= limit:
            break
        found = search.more(found, CancelToken())
    return found


def _show_offline(found: Found, error: HubOfflineError, *, as_json: bool) -> int:
    """What is here may do as well."""
    report(error)
    if as_json:
        here = [str(model.path) for model in found.here]
        write_json({"models": [], "more": False, "here": here, "error": error.message, "hint": error.hint})
    elif found.here:
        write("\n".join(["On this computer:", *listed(found.here)]) + "\n")
    return UNANSWERED


def _lines(models: tuple[FoundModel, ...]) -> list[str]:
    headings = ("repository", "parameters", "downloads", "updated")
    rows = table(headings, [_row(each) for each in models], right=("parameters", "downloads"))
    return entries(rows, [wrapped(_conditions(each)) for each in models])


def _conditions(found: FoundModel) -> str:
    licence = f"licence: {found.model.licence}" if found.model.licence else ""
    return ", ".join(filter(None, (f"memory: {found.fit}" if found.fit else "", licence, ACCESS[found.model.gating])))


def _row(found: FoundModel) -> tuple[str, ...]:
    model = found.model
    return (
        model.repo,
        parameters(model.parameters),
        f"{model.downloads:,}",
        f"{model.updated:%Y-%m-%d}" if model.updated else "",
    )


def _plain(found: FoundModel) -> dict[str, object]:
    updated = found.model.updated
    plain = asdict(found.model)
    return plain | {"updated": updated.isoformat() if updated else None, "fit": found.fit}
