import { ApiError, parseErrorBody } from '@parquetry/client'
import { expect, it } from 'vitest'
import { parseFailure } from './failure.ts'

const refusal = (extra: object) =>
  parseErrorBody(422, '', {
    errors: [{ message: 'Error importing database', error_type: 'x', level: 'warning', extra }],
  })

it('LIST-019 to LIST-022: reads which secrets are missing for which database', () => {
  const _schema = [
    'Must provide a password for the database',
    'Must provide a password for the ssh tunnel',
    'Must provide a private key for the ssh tunnel',
    'Must provide a private key password for the ssh tunnel',
  ]
  const path = 'databases/lab.yaml'
  expect(parseFailure(refusal({ [path]: { _schema }, issue_codes: [{ code: 1010, message: 'x' }] }))).toEqual({
    message: 'Error importing database',
    isTransient: false,
    isConflict: false,
    secrets: [
      { path, field: 'passwords' },
      { path, field: 'ssh_tunnel_passwords' },
      { path, field: 'ssh_tunnel_private_keys' },
      { path, field: 'ssh_tunnel_private_key_passwords' },
    ],
    files: [],
  })
})

it('LIST-032: reads the reasons by file, with their fields', () => {
  const extra = {
    'queries/lab/a.yaml': 'Saved_Queries already exists and `overwrite=true` was not passed',
    'queries/lab/b.yaml': { sql: ['Missing data for required field.'], _schema: ['Line 3: a mapping is expected.'] },
    'dashboards.json': ['Not a dashboard.'],
  }
  expect(parseFailure(refusal(extra)).isConflict).toBe(true)
  expect(parseFailure(refusal({ 'dashboards.json': ['Not a dashboard.'] })).isConflict).toBe(false)
  expect(parseFailure(refusal(extra)).files).toEqual([
    { path: 'queries/lab/a.yaml', reasons: ['Saved_Queries already exists and `overwrite=true` was not passed'] },
    {
      path: 'queries/lab/b.yaml',
      reasons: ['sql: Missing data for required field.', 'Line 3: a mapping is expected.'],
    },
    { path: 'dashboards.json', reasons: ['Not a dashboard.'] },
  ])
})

it('reports an error without a file as is', () => {
  expect(parseFailure(new ApiError(413, 'The body is too large.'))).toEqual({
    message: 'The body is too large.',
    isTransient: false,
    isConflict: false,
    files: [],
    secrets: [],
  })
})

it('tells failures that have nothing to do with the file', () => {
  expect([0, 400, 413, 422, 429, 503].map((status) => parseFailure(new ApiError(status, '')).isTransient)).toEqual([
    true,
    false,
    false,
    false,
    true,
    true,
  ])
})
