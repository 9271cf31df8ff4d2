import type { RouteContract } from '@parquetry/model'

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const toPascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map(capitalize)
    .join('')

/** `GET /api/v1/chart/:id/data/` → `getChartByIdData`. Made from the address alone, so that it never changes. */
export function computeOperationId({ method, path }: Pick<RouteContract, 'method' | 'path'>): string {
  const parts = path.replace(/^\/api\/v1\//, '/').split('/')
  const words = parts.map((part) =>
    part.startsWith(':') ? `By${toPascalCase(part.slice(1))}` : part === '_info' ? 'Info' : toPascalCase(part),
  )
  return method.toLowerCase() + words.join('')
}
