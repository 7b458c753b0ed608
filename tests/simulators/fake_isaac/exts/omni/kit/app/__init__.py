"""Fake of ``omni.kit.app``: the extension manager, and the version of the build."""

from __future__ import annotations

import os


class ExtensionManager:
    def set_extension_enabled_immediate(self, arg0: str, arg1: bool) -> bool:
        return os.environ.get("FAKE_ISAAC_FAULT") != f"no {arg0}"


class IApp:
    def get_extension_manager(self) -> ExtensionManager:
        return _MANAGER

    def get_build_version(self) -> str:
        return "110.0.0+fake"


_MANAGER, _APP = ExtensionManager(), IApp()


def get_app() -> IApp:
    return _APP
