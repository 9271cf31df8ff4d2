import { pythonTool } from './python.ts'

/** Preset's command-line client, which signs in with a token. */
export const presetCli = pythonTool(
  { title: 'preset-cli 0.3.13', variable: 'PARQUETRY_TEST_PRESET_CLI' },
  'preset-cli-0.3.13.txt',
  'bin/superset-cli',
)

/** An older version of it, which signs in with the HTML form. */
export const olderPresetCli = pythonTool(
  { title: 'preset-cli 0.2.21', variable: 'PARQUETRY_TEST_OLDER_PRESET_CLI' },
  'preset-cli-0.2.21.txt',
  'bin/superset-cli',
)
