"""Etüt, the application: command line, composition root, services, store and core."""
