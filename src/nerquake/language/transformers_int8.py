"""Linear layers that multiply whole numbers of eight bits.

Each row of what comes in has a scale of its own, found as it comes, and each row of the weights has one. A row's result
so depends on that row alone, and sums of whole numbers do not depend on their order: an answer is the same in every
batch. Layers whose scale is taken over a whole batch, as ONNX Runtime and torch have them, cannot say that.
"""

from __future__ import annotations

from typing import Any

SMALLEST = 1e-12
"""What stands for a row of zeros, which has no scale."""


def use_int8(model: Any) -> Any:
    """The model, in float32, with its linear layers replaced."""
    import torch

    class Linear(torch.nn.Module):  # type: ignore[misc]
        """A linear layer: weights [N, K], scales [N]."""

        def __init__(self, layer: Any) -> None:
            super().__init__()
            weight = layer.weight.detach().float()
            scales = weight.abs().amax(1).clamp_(min=SMALLEST).div_(127)
            self.out_features = weight.shape[0]
            self.register_buffer("turned", (weight / scales[:, None]).round_().to(torch.int8).t().contiguous())
            self.register_buffer("scales", scales)
            self.register_buffer("bias", None if layer.bias is None else layer.bias.detach().float())

        def forward(self, given: Any) -> Any:
            rows = given.reshape(-1, given.shape[-1]).float()
            scales = rows.abs().amax(1, keepdim=True).clamp_(min=SMALLEST).div_(127)
            whole = (rows / scales).round_().to(torch.int8)
            made = torch._int_mm(whole, self.turned).float().mul_(scales)
            made = made.mul_(self.scales) if self.bias is None else torch.addcmul(self.bias, made, self.scales)
            return made.view(*given.shape[:-1], self.out_features)

    def replace(module: Any) -> None:
        for name, child in list(module.named_children()):
            if type(child) is torch.nn.Linear:
                setattr(module, name, Linear(child))
            else:
                replace(child)

    replace(model)
    return model
