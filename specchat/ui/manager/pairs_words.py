"""What is said of a pair that could be run on this machine."""

from PySide6.QtCore import QObject

from specchat.services.bench.names import spoken_guesses
from specchat.services.drafts.values import Expected, PairOffer, TargetOffer, is_faster, slower_by
from specchat.services.models.pair_values import Fit
from specchat.services.models.quantisations import meaning
from specchat.ui.picker.rows import size
from specchat.ui.words.amounts import number, percent
from specchat.ui.words.said import in_words

_TONES = {Fit.FITS: "good", Fit.TIGHT: "warning", Fit.DOES_NOT_FIT: "danger"}


class PairWords(QObject):
    def draft(self, offer: PairOffer) -> str:
        return self.tr("Draft: {name}").format(name=offer.draft.name)

    def facts(self, offer: PairOffer) -> str:
        return " · ".join(filter(None, (self._quantisations(offer), self.download(offer), self.pace(offer))))

    def pace(self, offer: PairOffer) -> str:
        """Empty: there is no telling."""
        if offer.tokens_per_s is None:
            return ""
        if (rounded := round(offer.tokens_per_s)) > 1:
            return self.tr("about {n} tokens/s").format(n=number(rounded))
        return self.tr("about 1 token/s") if rounded else self.tr("less than 1 token/s")

    def download(self, offer: PairOffer) -> str:
        if not offer.to_download and not (offer.target.here and offer.draft.here):
            return self.tr("to be downloaded")
        words = {
            (True, True): self.tr("on this computer"),
            (True, False): self.tr("{size} to download, the target is here"),
            (False, True): self.tr("{size} to download, the draft is here"),
            (False, False): self.tr("{size} to download"),
        }
        return words[offer.target.here, offer.draft.here].format(size=size(offer.to_download))

    def alone(self, offer: TargetOffer) -> str:
        return " · ".join(filter(None, (size(offer.target.size), offer.target.quantization)))

    def fit(self, offer: PairOffer | TargetOffer) -> tuple[str, str]:
        """In two words, and its tone."""
        words = {
            Fit.FITS: self.tr("Fits"),
            Fit.TIGHT: self.tr("Tight"),
            Fit.DOES_NOT_FIT: self.tr("Does not fit"),
        }
        return words[offer.fit], _TONES[offer.fit]

    def needs(self, offer: PairOffer | TargetOffer) -> str:
        return self.tr("Needs {size} of memory.").format(size=size(offer.needed))

    def why(self, expected: Expected) -> str:
        if expected.measured:
            return self._how_measured(expected)
        if expected.in_chats:
            return self._how_in_chats(expected)
        if expected.tiny:
            return self.tr("So small a target is usually faster alone: a benchmark tells whether guessing pays.")
        words = (
            self.tr(
                "Estimate: {n} times as fast as the target alone. {rate} of the draft's guesses are accepted, as was "
                "found for this pair, when it guesses {length} tokens at a time."
            )
            if expected.is_known
            else self.tr(
                "Estimate: {n} times as fast as the target alone. This assumes that {rate} of the draft's guesses are "
                "accepted, as is usual for such models, when it guesses {length} tokens at a time."
            )
        )
        return words.format(
            n=number(expected.speedup, 1), rate=percent(expected.acceptance), length=number(expected.draft_length)
        )

    def details(self, offer: PairOffer) -> str:
        lines = [
            self.needs(offer),
            self.why(offer.expected),
            self.tr("Target: {reference}").format(reference=offer.target.reference),
            self.tr("Draft: {reference}").format(reference=offer.draft.reference),
        ]
        for label in dict.fromkeys((offer.target.quantization, offer.draft.quantization)):
            if said := meaning(label):
                lines.append(f"{label}: {in_words(said)}")
        return "\n".join(lines)

    def _how_measured(self, expected: Expected) -> str:
        if slower := slower_by(expected.speedup):
            speed = self.tr("Measured on this computer: {loss} slower than the target alone.")
            speed = speed.format(loss=percent(slower / 100))
        else:
            speed = self.tr("Measured on this computer: {n} times as fast as the target alone.")
            speed = speed.format(n=number(expected.speedup, 1))
        rate, length = percent(expected.acceptance), in_words(spoken_guesses(expected.guesses))
        if expected.guesses is None:
            accepted = self.tr("{rate} of the draft's guesses were accepted.").format(rate=rate)
        else:
            accepted = self.tr("With {length} in a pass, {rate} of them were accepted.").format(
                rate=rate, length=length
            )
        return f"{speed} {accepted}"

    def _how_in_chats(self, expected: Expected) -> str:
        if is_faster(expected.speedup):
            words = self.tr("In chats on this computer about {n} times as fast as the target alone.")
            return words.format(n=number(expected.speedup, 1))
        return self.tr(
            "In chats on this computer its guesses did not pay: answers come no faster than from the target alone."
        )

    def _quantisations(self, offer: PairOffer) -> str:
        labels = list(dict.fromkeys(filter(None, (offer.target.quantization, offer.draft.quantization))))
        return (
            self.tr("{first} and {second}").format(first=labels[0], second=labels[1]) if labels[1:] else "".join(labels)
        )
