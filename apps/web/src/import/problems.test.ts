import { ApiError, parseErrorBody } from '@parquetry/client'
import { expect, it } from 'vitest'
import { baseNameOf, parseImportProblems } from './problems.ts'

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
  expect(parseImportProblems(refusal({ [path]: { _schema }, issue_codes: [{ code: 1010, message: 'x' }] }))).toEqual({
    secrets: [
      { path, field: 'passwords' },
      { path, field: 'ssh_tunnel_passwords' },
      { path, field: 'ssh_tunnel_private_keys' },
      { path, field: 'ssh_tunnel_private_key_passwords' },
    ],
    exists: [],
    others: [],
  })
})

it('LIST-023: separates existing objects from errors', () => {
  const extra = {
    'queries/lab/a.yaml': 'Saved_Queries already exists and `overwrite=true` was not passed',
    'queries/lab/b.yaml': { sql: ['Missing data for required field.'] },
  }
  expect(parseImportProblems(refusal(extra))).toEqual({
    secrets: [],
    exists: ['queries/lab/a.yaml'],
    others: [{ path: 'queries/lab/b.yaml', message: 'Missing data for required field.' }],
  })
  expect(baseNameOf('queries/lab/a.yaml')).toBe('a')
  expect(baseNameOf('themes/Forest_2_31.yaml')).toBe('Forest_2')
})

it('reports an error without a file as is', () => {
  expect(parseImportProblems(new ApiError(413, 'The body is too large.')).others).toEqual([
    { path: null, message: 'The body is too large.' },
  ])
})
