import { dropTemplate } from './template-store.testing.ts'

const postgres = process.env['PARQUETRY_TEST_POSTGRES']

/** Global setup of vitest: drops the template of the test stores after a run. */
export default () => async (): Promise<void> => {
  if (postgres) await dropTemplate(postgres)
}
