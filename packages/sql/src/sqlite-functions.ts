/** SQLite functions that load code, read or write files, or reveal details of the process and its files. */
export const sqliteForbidden =
  /^(load_extension|readfile|writefile|edit|fsdir|lsmode|fts\d_tokenizer|zipfile.*|sqlar_.*|sqlite_.*|pragma_.*|csv|dbstat)$/

/** Functions in FROM that only compute. */
export const sqliteTableFunctions = new Set(['json_each', 'json_tree', 'jsonb_each', 'jsonb_tree', 'generate_series'])
