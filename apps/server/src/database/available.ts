import { type Engine, engines } from '@parquetry/engines'
import { engineInformation, parametersSchema } from './parameters.ts'

const entry = (engine: Engine, isPreferred: boolean) => ({
  name: engine.title,
  engine: engine.name,
  available_drivers: engine.drivers,
  default_driver: engine.drivers[0],
  preferred: isPreferred,
  parameters: parametersSchema(engine),
  sqlalchemy_uri_placeholder: engine.uriExample,
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
