"""Fake of ``omni.kit.app``: the extension manager."""

from __future__ import annotations

import os


class ExtensionManager:
    def set_extension_enabled_immediate(self, extension_id: str, enabled: bool) -> bool:
        return os.environ.get("FAKE_ISAAC_FAULT") != f"no {extension_id}"


class IApp:
    def get_extension_manager(self) -> ExtensionManager:
        return _MANAGER


_MANAGER, _APP = ExtensionManager(), IApp()


def get_app() -> IApp:
    return _APP
