"""Configuration of a Superset that answers on the loopback interface only, with its metadata in its own folder."""
import os

SECRET_KEY = "only-for-tests-on-this-computer-" + "0" * 16
SQLALCHEMY_DATABASE_URI = f"sqlite:///{os.environ['SUPERSET_HOME']}/metadata.db?check_same_thread=false"
# The connection of the fixtures is a SQLite file.
PREVENT_UNSAFE_DB_CONNECTIONS = False
# Scripts sign in with tokens.
WTF_CSRF_ENABLED = False
TALISMAN_ENABLED = False
RATELIMIT_ENABLED = False
FEATURE_FLAGS = {"TAGGING_SYSTEM": True, "ENABLE_TEMPLATE_PROCESSING": True, "SSH_TUNNELING": True}
