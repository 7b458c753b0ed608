"""Files of camera takes: videos, camera poses, pictures and manifests of panoramas."""
