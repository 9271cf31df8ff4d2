import { type Engine, engines } from '@parquetry/engines'
import { driversOf, engineInformation, parametersSchema } from './parameters.ts'

const placeholders: Record<string, string> = {
  postgresql: 'postgresql://user:password@host:port/dbname[?key=value&key=value...]',
  duckdb: 'duckdb:////path/to/file.parquet',
}

const entry = (engine: Engine, isPreferred: boolean) => ({
  name: engine.title,
  engine: engine.name,
  available_drivers: driversOf(engine),
  default_driver: driversOf(engine)[0],
  preferred: isPreferred,
  parameters: parametersSchema(engine),
  sqlalchemy_uri_placeholder: placeholders[engine.name],
  engine_information: engineInformation(engine),
})

/**
 * Engines that can be connected: the preferred ones first and in their order, then the others by name.
 * @param preferred  titles, setting PREFERRED_DATABASES
 */
export function available(preferred: readonly string[]) {
  const place = ({ title }: Engine) => (preferred.includes(title) ? preferred.indexOf(title) : preferred.length)
  return engines
    .toSorted((a, b) => place(a) - place(b) || (a.title < b.title ? -1 : 1))
    .map((engine) => entry(engine, preferred.includes(engine.title)))
}
