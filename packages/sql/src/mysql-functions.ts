/**
 * MySQL and MariaDB functions that a read-only session does not prevent: files and programs of the server, sleeping, locks and
 * settings that affect other sessions, other servers, and functions of plugins that control the server.
 */
export const mysqlForbidden = new RegExp(
  `^(${[
    'load_file|sys_(exec|eval|get|set)|lib_mysqludf_.*|sleep|benchmark|master_pos_wait|source_pos_wait|master_gtid_wait',
    'wait_(for|until)_.*|wsrep_sync_wait_.*|(get|release)_lock|release_all_locks|is_(free|used)_lock|service_.*_locks',
    'nextval|setval|lastval|spider_.*|keyring_.*|audit_.*|mysql_.*|version_tokens_.*|group_replication_.*|gtid_.*',
    'asynchronous_connection_.*|(read|set)_firewall_.*|gen_.*blacklist|can_access_.*|internal_.*|binlog_gtid_pos|ps_.*',
  ].join('|')})$`,
)
