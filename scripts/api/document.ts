import { startTestServer } from '../../apps/server/src/testing.ts'
import { buildDocument } from '../../apps/server/src/open-api/build-document.ts'
import { defaultFlags } from '../../apps/server/src/settings/config.ts'
import type { ApiDocument } from './types.ts'

/** Builds the OpenAPI document of all calls, with every feature flag on. */
export async function buildCurrentDocument(): Promise<ApiDocument> {
  const flags = Object.fromEntries(Object.keys(defaultFlags).map((flag) => [flag, true]))
  const server = await startTestServer({ settings: { flags } })
  try {
    return JSON.parse(JSON.stringify(buildDocument(server.app.contracts))) as ApiDocument
  } finally {
    await server.close()
  }
}
