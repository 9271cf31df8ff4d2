import { type Engine, engines } from '@parquetry/engines'
import type { Config } from '../settings/config.ts'
import { engineInformation, formSchema, parametersSchema } from '../connection/parameters.ts'

const entry = (engine: Engine, isPreferred: boolean) => ({
  name: engine.title,
  engine: engine.name,
  available_drivers: engine.drivers,
  default_driver: engine.drivers[0],
  preferred: isPreferred,
  parameters: parametersSchema(engine),
  sqlalchemy_uri_placeholder: engine.uriExample,
  engine_information: engineInformation(engine),
  parquetry: {
    kind: engine.kind,
    schemes: engine.schemes,
    form: formSchema(engine),
    supports: engine.supports,
    query_parameters: engine.queryParameters ?? [],
  },
})

/** Engines that can be connected: preferred ones first in their configured order, then the others by name. */
export function listAvailableEngines({ PREFERRED_DATABASES: preferred, PREVENT_UNSAFE_DB_CONNECTIONS }: Config) {
  const rank = ({ title }: Engine) => (preferred.includes(title) ? preferred.indexOf(title) : preferred.length)
  return engines
    .filter(({ name }) => name !== 'sqlite' || !PREVENT_UNSAFE_DB_CONNECTIONS)
    .toSorted((a, b) => rank(a) - rank(b) || (a.title < b.title ? -1 : 1))
    .map((engine) => entry(engine, preferred.includes(engine.title)))
}
