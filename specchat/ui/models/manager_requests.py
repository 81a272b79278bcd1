"""The signals for everything that a user can request in the model manager."""

from PySide6.QtCore import QObject, Signal

from specchat.domain.hub import HubQuery
from specchat.ui.models.manager_view import ManagerSection


class ManagerRequests(QObject):
    """The manager hands one down to all panes. What shows a button emits; what does the work listens."""

    # The pair
    target_requested = Signal(str)
    """A model's reference or path, as for drafts."""
    draft_requested = Signal(str)
    token_requested = Signal()
    web_page_requested = Signal(str)
    pane_requested = Signal(ManagerSection)

    # The Hub
    search_requested = Signal(HubQuery)
    more_results_requested = Signal(object)
    """HubSearchResults, with those found so far."""
    hub_retry_requested = Signal()
    """The last request to the Hub failed, and the user wants it repeated."""
    repository_requested = Signal(str)
    """The repository is named as owner/repo, here and below."""
    repository_page_requested = Signal(str)
    header_requested = Signal(object)
    """A RemoteModel."""
    download_requested = Signal(str)
    """A model's reference."""

    # Models on this computer
    local_refresh_requested = Signal()
    check_requested = Signal(object)
    """A LocalModel, as for the next four."""
    stop_check_requested = Signal(object)
    show_in_folder_requested = Signal(object)
    copy_reference_requested = Signal(object)
    model_removal_requested = Signal(object)
    """The user has agreed to the removal. Files of other programs only leave the list."""
    add_file_requested = Signal(object)
    """A Path, as for folders."""
    add_folder_requested = Signal(object)
    remove_folder_requested = Signal(object)

    # Pairs
    pairs_refresh_requested = Signal()
    pair_requested = Signal(object)
    """A PairOffer, as for the next two."""
    lookup_cancelled = Signal(object)
    pair_removal_requested = Signal(object)
    pair_entered = Signal(str, str)
    """The references of target and draft."""

    # Other engines
    engine_test_requested = Signal(object)
    """A Connection, as for the next four."""
    stop_engine_test_requested = Signal(object)
    engine_key_requested = Signal(object)
    """The user wants to enter its key."""
    engine_models_requested = Signal(object)
    """The user wants to choose one of its models."""
    engine_removal_requested = Signal(object)
    engine_entered = Signal(str, str, str)
    """Name, address and key, which may be empty."""
    engine_search_requested = Signal()
    """On this computer."""
    engines_refresh_requested = Signal()

    # Other machines
    machine_entered = Signal(str)
    """An address, as for the next two."""
    machine_test_requested = Signal(str)
    machine_removal_requested = Signal(str)

    # Downloads
    pause_requested = Signal(int)
    """The number of a job, as for the next three."""
    resume_requested = Signal(int)
    download_removal_requested = Signal(int, bool)
    """True: the part that has arrived stays."""
    move_requested = Signal(int, int)
    """The second number is the place among all jobs."""
    redownload_requested = Signal(object)
    """A DownloadJob that is done, and whose files are not all here any more."""
    chat_requested = Signal(object)
    """A DownloadJob that is done."""
    downloads_retry_requested = Signal()
    download_problem_dismissed = Signal()
