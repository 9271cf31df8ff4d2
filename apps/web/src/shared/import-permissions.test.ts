import { importRoutes } from '@parquetry/model'
import { expect, it } from 'vitest'
import { importPermissions } from './import-permissions.ts'

it('LIST-007: imports are offered with the permission of their call', () => {
  for (const [kind, pair] of Object.entries(importPermissions))
    expect([kind, importRoutes[kind as keyof typeof importRoutes].can]).toEqual([kind, pair])
})
