import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { InFlight } from './in-flight.ts'
import { onClose } from './on-close.ts'

export interface StallLimits {
  /** A connection whose client takes nothing of a response for this long is closed. */
  stallMs: number
  /** So is one whose client does not send `bodyBytes` of a body, or the rest of it, within `bodyMs`. */
  bodyMs: number
  bodyBytes: number
  checkMs: number
}

const defaults: StallLimits = { stallMs: 60_000, bodyMs: 30_000, bodyBytes: 16 << 10, checkMs: 5000 }

interface Transfer {
  request: IncomingMessage
  socket: Socket
  /** Progress at `since`; undefined while the server did not wait for the client. */
  bytes: number | undefined
  since: number
}

/**
 * Closes connections whose client sends a body too slowly or does not read a response. Their work is aborted, so that they take
 * no slots at a database. A body that the server is not reading yet, because the call waits for its turn, is not slow.
 */
export function closeStalledConnections(server: Server, limits: StallLimits = defaults): void {
  const { stallMs, bodyMs, bodyBytes, checkMs } = limits
  const transfers = new InFlight<Transfer>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    onClose(response, transfers.add({ request, socket, bytes: undefined, since: performance.now() }))
  })
  const timer = setInterval(() => {
    for (const transfer of transfers) {
      const { request, socket } = transfer
      const isReading = !request.complete && request.readableFlowing === true
      const isWriting = socket.writableLength > 0
      // Bytes that the client has sent or taken.
      const bytes = isReading || isWriting ? socket.bytesRead + socket.bytesWritten - socket.writableLength : undefined
      const [minBytes, maxMs] = isReading ? [bodyBytes, bodyMs] : [1, stallMs]
      if (bytes === undefined || transfer.bytes === undefined || bytes - transfer.bytes >= minBytes)
        Object.assign(transfer, { bytes, since: performance.now() })
      else if (performance.now() - transfer.since >= maxMs) socket.destroy()
    }
  }, checkMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
