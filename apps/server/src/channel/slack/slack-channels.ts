import { ChannelError, type ListedTarget } from '../channel.ts'
import { callSlack, type SlackAccess } from './slack-api.ts'

const pageSize = '999'
const maxPages = 100
const validMs = 10 * 60_000
/** A forced look-up uses a list that is younger. */
const freshMs = 15_000

async function loadConversations(access: SlackAccess, signal: AbortSignal): Promise<ListedTarget[]> {
  const found: ListedTarget[] = []
  let cursor = ''
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await callSlack(
      access,
      'conversations.list',
      {
        types: 'public_channel,private_channel',
        exclude_archived: 'true',
        limit: pageSize,
        ...(cursor !== '' && { cursor }),
      },
      { signal },
    )
    for (const { id, name, is_member, is_private } of (answer['channels'] ?? []) as Partial<ListedTarget>[])
      if (typeof id === 'string' && typeof name === 'string')
        found.push({ id, name, is_member: is_member === true, is_private: is_private === true })
    cursor = answer.response_metadata?.next_cursor ?? ''
    if (cursor === '') return found
  }
  return found
}

/** Lists the conversations of the workspace and caches them. Equal look-ups share the calls. */
export class SlackConversations {
  readonly #access: SlackAccess
  #list: { at: number; found: Promise<ListedTarget[]> } | undefined
  constructor(access: SlackAccess) {
    this.#access = access
  }

  /** @throws ChannelError */
  async list({ force = false, signal }: { force?: boolean; signal: AbortSignal }): Promise<ListedTarget[]> {
    const now = this.#access.now().getTime()
    if (!this.#list || now - this.#list.at > (force ? freshMs : validMs)) {
      // One caller who leaves must not end the look-up of others.
      const list = { at: now, found: loadConversations(this.#access, AbortSignal.timeout(60_000)) }
      this.#list = list
      list.found.catch(() => {
        if (this.#list === list) this.#list = undefined
      })
    }
    const { found } = this.#list
    const stopped = new Promise<never>((_, reject) => {
      const stop = () => reject(new ChannelError('unavailable'))
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
    })
    return Promise.race([found, stopped])
  }
}
