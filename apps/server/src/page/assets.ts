import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { noSuchAddress } from '../http/errors.ts'

/** Output folder of the web build. */
export const webFolder = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

interface Asset {
  path: string
  type: string
  /** The name contains a hash of the content, so the file can be cached forever. */
  isHashed: boolean
  encodings: Map<string, string>
}

/** Files may be compressed after they were listed. `.br` is written last, so once it exists, both exist. */
function findEncodings({ path, encodings: found }: Asset): void {
  if (found.size === 0 && existsSync(`${path}.br`))
    for (const [encoding, end] of encodings) found.set(encoding, path + end)
}

/** The built web files by their path below `/static/`. Only listed files are served, so no path can leave the folder. */
export interface Assets {
  /** The built page with its slots, read again after a new build; undefined before the first build. */
  page(): string | undefined
  /** Scripts and styles that the page with this name needs before it can render, besides those of every page. */
  firstFiles(name: string): readonly string[]
  send(path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply
  /** Files directly in the folder, such as the icon: they are also served at `/<name>`. */
  rootFiles: string[]
}

/** Paths of all files in the folder, relative to it and with slashes. `recursive` of `readdirSync` takes five times as long. */
function* filesIn(folder: string, below = ''): Generator<string> {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = below + entry.name
    if (entry.isDirectory()) yield* filesIn(join(folder, entry.name), `${name}/`)
    else if (entry.isFile() && !entry.name.startsWith('.')) yield name
  }
}

/** Tests if a file is served, by its path below the folder. */
const isAsset = (name: string): boolean => types[extname(name)] !== undefined && name !== 'index.html'

const rootFilesOf = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.') && isAsset(name)) : []

function list(folder: string): Map<string, Asset> {
  const names = new Set(filesIn(folder))
  const assets = new Map<string, Asset>()
  for (const name of names) {
    if (!isAsset(name)) continue
    const path = join(folder, name)
    assets.set(name, {
      path,
      type: types[extname(name)] as string,
      isHashed: name.startsWith('assets/') && /-[\w-]{8,}\.\w+$/.test(name),
      encodings: new Map(
        encodings.filter(([, end]) => names.has(name + end)).map(([encoding, end]) => [encoding, path + end]),
      ),
    })
  }
  return assets
}

/** The build writes this file; the result is empty before the first build. */
function readFirst(folder: string): Record<string, string[]> {
  const path = join(folder, 'first-files.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, string[]>) : {}
}

export function openAssets(folder: string): Assets {
  // Listed on the first request of a file: the server starts without it.
  let listed: Map<string, Asset> | undefined
  const pagePath = join(folder, 'index.html')
  let page: { changed: number; text: string } | undefined
  let first = readFirst(folder)
  return {
    rootFiles: rootFilesOf(folder),
    page() {
      const changed = statSync(pagePath, { throwIfNoEntry: false })?.mtimeMs
      if (changed === undefined) return undefined
      if (page?.changed !== changed) {
        if (page) {
          listed = undefined
          first = readFirst(folder)
        }
        page = { changed, text: readFileSync(pagePath, 'utf8') }
      }
      return page.text
    },
    firstFiles: (name) => (Object.hasOwn(first, name) ? (first[name] ?? []) : []),
    send(name, request, reply) {
      const asset = (listed ??= list(folder)).get(name)
      if (!asset) throw noSuchAddress()
      findEncodings(asset)
      const accepted = request.headers['accept-encoding'] ?? ''
      const encoding = encodings.find(
        ([candidate]) => asset.encodings.has(candidate) && accepted.includes(candidate),
      )?.[0]
      const path = encoding ? (asset.encodings.get(encoding) as string) : asset.path
      const { size, mtimeMs } = statSync(path)
      const etag = `"${createHash('sha1').update(`${name} ${encoding} ${size} ${mtimeMs}`).digest('base64url')}"`
      reply.headers({
        'Cache-Control': asset.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        ETag: etag,
        Vary: 'Accept-Encoding',
      })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      if (encoding) reply.header('Content-Encoding', encoding)
      return reply.header('Content-Length', size).type(asset.type).send(createReadStream(path))
    },
  }
}
