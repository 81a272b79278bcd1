"""Names a target's first layers."""


def name_layers(n_layers: int) -> str:
    return "first layer" if n_layers == 1 else f"first {n_layers} layers"
