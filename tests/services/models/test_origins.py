from specchat.services.models.origins import ORIGINS, Origin


def test_each_origin_has_its_facts() -> None:
    assert set(ORIGINS) == set(Origin)
