import { testCertificate } from '@parquetry/testing/test-certificate'
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { readSettings } from '../../settings/settings.ts'
import { type ReceivedRequest, startHttpReceiver, type HttpReceiver } from '../http-receiver.testing.ts'
import { attempt, createFile, never } from '../outgoing.testing.ts'
import { createSlackChannel } from './slack-channel.ts'

const receivers: HttpReceiver[] = []
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
})

interface Call {
  method: string
  args: Record<string, string>
}
type Fault = (call: Call, response: ServerResponse) => boolean

const channelsOfWorkspace = Array.from({ length: 5 }, (_, index) => ({
  id: `C00000000${index}`,
  name: `team-${index}`,
  is_member: index === 0,
  is_private: index === 4,
  is_archived: false,
}))

/** Arguments of each method: required ones, then optional ones. Others are an error, as in a typing mistake of ours. */
const known: Readonly<Record<string, [required: string[], optional: string[]]>> = {
  'auth.test': [[], []],
  'conversations.list': [[], ['cursor', 'exclude_archived', 'limit', 'types']],
  'chat.postMessage': [
    ['channel', 'text'],
    ['unfurl_links', 'unfurl_media'],
  ],
  'files.getUploadURLExternal': [['filename', 'length'], []],
  'files.completeUploadExternal': [['files'], ['channel_id', 'initial_comment']],
}

/** A local server with the methods of Slack's Web API that are used, which checks their arguments. */
async function startSlack(fault: Fault = () => false) {
  const calls: Call[] = []
  const uploads = new Map<string, { length: number; bytes?: Buffer }>()
  const posted: { channel: string; text: string; files: string[] }[] = []
  const respond = (response: ServerResponse, answer: object) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))

  function answerMethod({ method, args }: Call): object {
    const [required, optional] = known[method] ?? [['unknown method'], []]
    const names = Object.keys(args)
    if (
      required.some((name) => !names.includes(name)) ||
      names.some((name) => ![...required, ...optional].includes(name))
    )
      return { ok: false, error: 'invalid_arguments' }
    const isChannel = (id: string | undefined) => channelsOfWorkspace.some((channel) => channel.id === id)
    if (method === 'auth.test') return { ok: true, team: 'Test', user: 'bot' }
    if (method === 'conversations.list') {
      const start = Number(args['cursor'] || 0)
      const next = start + 2 < channelsOfWorkspace.length ? String(start + 2) : ''
      return {
        ok: true,
        channels: channelsOfWorkspace.slice(start, start + 2),
        response_metadata: { next_cursor: next },
      }
    }
    if (method === 'chat.postMessage') {
      if (!isChannel(args['channel'])) return { ok: false, error: 'channel_not_found' }
      posted.push({ channel: args['channel'] ?? '', text: args['text'] ?? '', files: [] })
      return { ok: true, ts: '1' }
    }
    if (method === 'files.getUploadURLExternal') {
      const id = `F${uploads.size}`
      uploads.set(id, { length: Number(args['length']) })
      return { ok: true, file_id: id, upload_url: `https://localhost:${receiver.port}/upload/${id}` }
    }
    const files = JSON.parse(args['files'] ?? '[]') as { id: string; title: string }[]
    if (!isChannel(args['channel_id'])) return { ok: false, error: 'channel_not_found' }
    if (files.some(({ id }) => uploads.get(id)?.bytes?.length !== uploads.get(id)?.length))
      return { ok: false, error: 'file_not_found' }
    posted.push({
      channel: args['channel_id'] ?? '',
      text: args['initial_comment'] ?? '',
      files: files.map(({ title }) => title),
    })
    return { ok: true, files }
  }

  const receiver = await startHttpReceiver('https', ({ path, headers, body }: ReceivedRequest, response) => {
    const [, id = ''] = /^\/upload\/(.*)$/.exec(path) ?? []
    const method = id === '' ? path.replace('/api/', '') : 'upload'
    const call = { method, args: id === '' ? Object.fromEntries(new URLSearchParams(body.toString())) : {} }
    calls.push(call)
    if (fault(call, response)) return
    if (method === 'upload') {
      uploads.set(id, { length: uploads.get(id)?.length ?? 0, bytes: body })
      return response.end('OK')
    }
    return respond(
      response,
      headers.authorization === 'Bearer xoxb-test' ? answerMethod(call) : { ok: false, error: 'invalid_auth' },
    )
  })
  receivers.push(receiver)
  return { calls, posted, uploads, port: receiver.port, methods: () => calls.map(({ method }) => method) }
}

async function createChannel(port: number, token = 'xoxb-test', now = () => new Date()) {
  const { config } = await readSettings({ PARQUETRY_SLACK_API_TOKEN: token })
  return createSlackChannel(
    { config },
    { baseUrl: `https://localhost:${port}/api`, authorities: testCertificate.cert, allowsLoopback: true, now },
  )
}
const toBoth = 'C000000000, C000000001'

describe('REPORT messages in Slack', () => {
  it('are posted to each channel, by id or name, without mentions and links of the report', async () => {
    const slack = await startSlack()
    const channel = await createChannel(slack.port)
    const text = 'Look <!channel> & <https://evil.example|here> <@U1>'
    expect(await attempt(channel, 'C000000000; #team-3', { text, url: 'https://bi.example.com/d?a=1&b=|>' })).toBe(
      'sent',
    )
    const expected = [
      'Sales of the week',
      'Look &lt;!channel&gt; &amp; &lt;https://evil.example|here&gt; &lt;@U1&gt;',
      '<https://bi.example.com/d?a=1&amp;b=%7C&gt;|Open in Parquetry>',
    ].join('\n')
    expect(slack.posted).toEqual([
      { channel: 'C000000000', text: expected, files: [] },
      { channel: 'C000000003', text: expected, files: [] },
    ])
    // The list is cached.
    expect(await attempt(channel, 'team-4')).toBe('sent')
    expect(slack.methods().filter((method) => method === 'conversations.list')).toHaveLength(3)
    expect(await attempt(channel, 'nowhere')).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('nowhere'),
    })
  })

  it('carry all files in one message', async () => {
    const slack = await startSlack()
    const files = [createFile('a.png', 'image/png', 'picture'), createFile('b.csv', 'text/csv', 'a,b')]
    expect(await attempt(await createChannel(slack.port), 'C000000000', { files })).toBe('sent')
    expect(slack.posted).toEqual([
      { channel: 'C000000000', text: 'Sales of the week\nSales rose.', files: ['a.png', 'b.csv'] },
    ])
    expect([...slack.uploads.values()].map(({ bytes }) => bytes?.toString())).toEqual(['picture', 'a,b'])
  })

  it('say that a long text was shortened', async () => {
    const slack = await startSlack()
    expect(await attempt(await createChannel(slack.port), 'C000000000', { text: 'x'.repeat(10_000) })).toBe('sent')
    expect(slack.posted[0]?.text).toMatch(/x{3900}…\nThis text was shortened for Slack\.$/)
  })

  it('lists its channels in pages, from a cache', async () => {
    const slack = await startSlack()
    let at = 0
    const channel = await createChannel(slack.port, 'xoxb-test', () => new Date(at))
    const list = (force = false) => channel.listTargets?.({ force, signal: never })
    expect((await list())?.map(({ name }) => name)).toEqual(channelsOfWorkspace.map(({ name }) => name))
    await list(true)
    expect(slack.calls).toHaveLength(3)
    at = 20_000
    await list()
    expect(slack.calls).toHaveLength(3)
    await list(true)
    expect(slack.calls).toHaveLength(6)
    expect(slack.calls[1]?.args).toEqual({
      types: 'public_channel,private_channel',
      exclude_archived: 'true',
      limit: '999',
      cursor: '2',
    })
  })

  it('checks its token and its targets', async () => {
    const slack = await startSlack()
    await (await createChannel(slack.port)).verify?.(never)
    await expect((await createChannel(slack.port, 'xoxb-old')).verify?.(never)).rejects.toMatchObject({
      outcome: 'refused',
      message: 'Slack responded with the error invalid_auth.',
    })
    const channel = await createChannel(slack.port)
    for (const target of ['', ' ,; ', 'C1', 'U0123456789', '<!here>', 'a&b', 'Team'])
      expect(() => channel.checkTarget({ target }), target).toThrow('Enter the id of a Slack channel')
    await channel.checkTarget({ target: 'C0123456789\nG0123456789 D0123456789;#general' })
    expect((await createChannel(slack.port, '')).missingSettings()).toEqual(['SLACK_API_TOKEN'])
  })
})

describe('faults of Slack', () => {
  const failing =
    (method: string, fail: (response: ServerResponse) => void) => (call: Call, response: ServerResponse) => {
      if (call.method !== method) return false
      fail(response)
      return true
    }
  const answer =
    (error: string) =>
    (response: ServerResponse): void =>
      void response.end(JSON.stringify({ ok: false, error }))
  const status =
    (code: number) =>
    (response: ServerResponse): void =>
      void response.writeHead(code, { 'retry-after': '30' }).end()
  const files = [createFile('a.csv', 'text/csv', 'a,b')]

  it.each([
    ['chat.postMessage', status(429), 'unavailable'],
    ['chat.postMessage', status(503), 'unknown'],
    ['chat.postMessage', answer('ratelimited'), 'unavailable'],
    ['chat.postMessage', answer('not_in_channel'), 'refused'],
    ['chat.postMessage', answer('fatal_error'), 'unknown'],
    ['chat.postMessage', (response: ServerResponse): void => void response.destroy(), 'unknown'],
    ['chat.postMessage', (response: ServerResponse): void => void response.end('<html>'), 'unknown'],
    ['files.getUploadURLExternal', (response: ServerResponse): void => void response.destroy(), 'unavailable'],
    ['upload', status(500), 'unavailable'],
    ['files.completeUploadExternal', (response: ServerResponse): void => void response.destroy(), 'unknown'],
    ['files.completeUploadExternal', answer('internal_error'), 'unknown'],
  ] as const)('%s, case %#: %s', async (method, fail, outcome) => {
    const slack = await startSlack(failing(method, fail))
    const more = method === 'chat.postMessage' ? {} : { files }
    const found = await attempt(await createChannel(slack.port), 'C000000000', more)
    expect(found).toMatchObject({ outcome })
    expect(slack.posted).toEqual([])
  })

  it('rate limits say how long to wait', async () => {
    const slack = await startSlack(failing('chat.postMessage', status(429)))
    expect(await attempt(await createChannel(slack.port), 'C000000000')).toMatchObject({ retryAfterMs: 30_000 })
  })

  it('silent: unknown once the message was sent', async () => {
    const slack = await startSlack((call) => call.method === 'chat.postMessage')
    const stopping = new AbortController()
    const channel = await createChannel(slack.port)
    const failure = attempt(channel, 'C000000000', {}, stopping.signal)
    await expect.poll(slack.methods).toEqual(['chat.postMessage'])
    stopping.abort()
    expect(await failure).toMatchObject({ outcome: 'unknown' })
  })

  it('after the first of two channels: not repeated, and says where it was posted', async () => {
    let count = 0
    const slack = await startSlack((_call, response) => {
      count += 1
      if (count === 2) response.writeHead(429).end()
      return count === 2
    })
    expect(await attempt(await createChannel(slack.port), toBoth)).toMatchObject({
      outcome: 'refused',
      message: 'Posted to C000000000, but not to C000000001: Slack asked to send fewer messages.',
    })
  })

  it('an upload address of another host gets no file', async () => {
    const other = await startHttpReceiver('https', (_request, response) => response.end())
    receivers.push(other)
    const slack = await startSlack((call, response) => {
      if (call.method !== 'files.getUploadURLExternal') return false
      response.end(JSON.stringify({ ok: true, file_id: 'F', upload_url: `https://localhost:${other.port}/` }))
      return true
    })
    expect(await attempt(await createChannel(slack.port), 'C000000000', { files })).toMatchObject({
      outcome: 'unavailable',
    })
    expect(other.requests).toEqual([])
  })
})
