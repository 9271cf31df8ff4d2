import { dropTemplate } from './template-store.testing.ts'

const postgres = process.env['PARQUETRY_TEST_POSTGRES']

/** What vitest calls around a run: the template of the test stores goes with it. */
export default () => async (): Promise<void> => {
  if (postgres) await dropTemplate(postgres)
}
