import type { HttpDeps } from '../http/app.ts'
import type { Channels } from './channel.ts'

/** Dependencies of routes and jobs that deliver messages. */
export interface ChannelDeps extends HttpDeps {
  channels: Channels
}
