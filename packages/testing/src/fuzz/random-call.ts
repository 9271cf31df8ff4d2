import { encodeRison } from '@parquetry/model'
import type { Random } from '@parquetry/model/testing/random'
import type { ApiDocument, FuzzParameter, FuzzSchema, NamedOperation } from './api-document.ts'
import { createRandomArchive, createRandomFile, type PackFiles } from './random-files.ts'
import { RandomValues, toText } from './random-value.ts'

export interface FuzzCall {
  method: string
  /** Path with the query string. */
  path: string
  headers: Record<string, string>
  payload?: Buffer
}

const boundary = 'fuzz-boundary'
const fileNames = ['a.csv', 'a.zip', 'a.png', 'a.parquet', 'a.xlsx', 'a', '../a.csv', '\u{1F4A5}.zip']

/** Calls about one user or role, which may be those of the callers. */
const accountPath = /^\/api\/v1\/security\/(?:users|roles)\/\{/
const loneSurrogates = /[\uD800-\uDFFF]/g

/** Creates calls of a document's operations. The same random numbers give the same call. */
export class RandomCalls {
  readonly #random: Random
  readonly #values: RandomValues
  readonly #pack: PackFiles

  constructor({ components }: ApiDocument, random: Random, pack: PackFiles) {
    this.#random = random
    this.#values = new RandomValues(random, components.schemas)
    this.#pack = pack
  }

  async next({ method, path, operation }: NamedOperation): Promise<FuzzCall> {
    const random = this.#random
    const { parameters, requestBody } = operation
    const changesCaller = method !== 'GET' && accountPath.test(path)
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      // Most deletions name an unknown object, so that other calls still find theirs.
      const isUnknown = changesCaller || (method === 'DELETE' && random() < 0.7)
      const schema = parameters.find((each) => each.in === 'path' && each.name === name)?.schema
      if (isUnknown) return '987654'
      if (random() < 0.6 && /id|pk|slug/.test(name)) return random.pick(['1', '1', '2'])
      return encodeURIComponent(this.#text(schema, name).slice(0, 200)) || '1'
    })
    const query = parameters
      .filter((each) => each.in === 'query' && random() < (each.required ? 0.95 : 0.5))
      .map((each) => `${encodeURIComponent(each.name)}=${encodeURIComponent(this.#queryText(each))}`)
    const call: FuzzCall = {
      method,
      path: query.length > 0 ? `${address}?${query.join('&')}` : address,
      headers: { accept: 'application/json' },
    }
    if (!requestBody || random() < 0.02) return call
    const type = random.pick(Object.keys(requestBody.content))
    return { ...call, ...(await this.#content(path, type, requestBody.content[type]?.schema ?? {})) }
  }

  #text = (schema: FuzzSchema | undefined, name: string): string =>
    toText(this.#values.next(schema, name)).replaceAll(loneSurrogates, 'z')

  #queryText({ name, schema, content }: FuzzParameter): string {
    if (!content) return this.#text(schema, name)
    const value = this.#values.next(content['application/json'].schema)
    if (this.#random() < 0.5)
      try {
        return encodeRison(value).replaceAll(loneSurrogates, 'z')
      } catch {
        // Some values cannot be written as Rison.
      }
    return toText(value).replaceAll(loneSurrogates, 'z')
  }

  async #content(path: string, type: string, schema: FuzzSchema): Promise<Pick<FuzzCall, 'headers' | 'payload'>> {
    const random = this.#random
    const accept = { accept: 'application/json' }
    if (type === 'multipart/form-data')
      return {
        headers: { ...accept, 'content-type': `${type}; boundary=${boundary}` },
        payload: await this.#multipart(path, schema),
      }
    if (type === 'application/octet-stream')
      return { headers: { ...accept, 'content-type': type }, payload: createRandomFile(random) }
    const value = this.#values.next(schema)
    const headers = { ...accept, 'content-type': type }
    if (type === 'application/x-www-form-urlencoded') {
      const fields = Object.entries(value ?? {}).map(([name, field]): [string, string] => [name, toText(field)])
      return { headers, payload: Buffer.from(new URLSearchParams(fields).toString()) }
    }
    const text = JSON.stringify(value)
    return { headers, payload: Buffer.from(random() < 0.01 ? text.slice(0, random.int(text.length)) : text) }
  }

  async #multipart(path: string, schema: FuzzSchema): Promise<Buffer> {
    const random = this.#random
    const properties = this.#values.resolve(schema).properties ?? {}
    const fields = Object.entries((this.#values.next(schema) ?? {}) as object)
    const parts: Buffer[] = []
    for (const [name, value] of fields) {
      const isFile = properties[name]?.format === 'binary' || name === 'formData'
      const isArchive = name === 'formData' || random() < 0.2
      const file = isFile ? `; filename="${random.pick(fileNames)}"` : ''
      const bytes = !isFile
        ? Buffer.from(toText(value))
        : isArchive
          ? await createRandomArchive(path, { random, pack: this.#pack, nextValue: () => this.#values.next({}) })
          : createRandomFile(random)
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name.replaceAll(/["\r\n]/g, '')}"${file}\r\n\r\n`
      parts.push(Buffer.from(head), bytes, Buffer.from('\r\n'))
    }
    const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
    return random() < 0.03 ? body.subarray(0, random.int(body.length)) : body
  }
}
