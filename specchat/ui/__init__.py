"""The Qt user interface, built on the services layer."""
