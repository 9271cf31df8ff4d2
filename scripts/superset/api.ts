export interface Answer {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a script would read them
  body: any
}

/** The API of a server, of Superset or ours, as an administrator uses it. */
export interface Api {
  /** Sends JSON to a path below `/api/v1/`. @throws Error unless the status is 2xx */
  call(method: string, path: string, body?: unknown): Promise<Answer['body']>
  /** @throws Error unless the status is 2xx */
  download(path: string): Promise<Buffer>
  /** Sends a form with the archive in the field `file`. */
  upload(path: string, archive: Buffer, fields: Record<string, string>, file: string): Promise<Answer>
}

/** Signs in as admin / admin. */
export async function createAdminApi(url: string): Promise<Api> {
  const headers: Record<string, string> = { accept: 'application/json' }
  const send = async (method: string, path: string, body?: BodyInit): Promise<Response> =>
    fetch(`${url}/api/v1/${path}`, { method, headers, ...(body !== undefined && { body }) })
  const sendJson = async (method: string, path: string, body: unknown): Promise<Response> =>
    fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const succeed = async (what: string, response: Response): Promise<Response> => {
    if (response.ok) return response
    throw new Error(`${what}: ${response.status} ${(await response.text()).slice(0, 2000)}`)
  }
  const credentials = { username: 'admin', password: 'admin', provider: 'db' }
  const signedIn = await succeed('sign-in', await sendJson('POST', 'security/login', credentials))
  const { access_token } = (await signedIn.json()) as { access_token: string }
  headers['authorization'] = `Bearer ${access_token}`
  return {
    call: async (method, path, body) => {
      const response = body === undefined ? send(method, path) : sendJson(method, path, body)
      return (await succeed(`${method} ${path}`, await response)).json()
    },
    download: async (path) => {
      const response = await succeed(path, await send('GET', path))
      return Buffer.from(await response.arrayBuffer())
    },
    upload: async (path, archive, fields, file) => {
      const form = new FormData()
      form.set(file, new Blob([new Uint8Array(archive)]), 'bundle.zip')
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      const response = await send('POST', path, form)
      const text = await response.text()
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
    },
  }
}
