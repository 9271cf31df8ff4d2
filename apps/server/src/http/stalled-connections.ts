import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface StallLimits {
  /** A connection without progress for this long is closed. */
  stallMs: number
  checkMs: number
}

const defaults: StallLimits = { stallMs: 60_000, checkMs: 5000 }

interface Transfer {
  request: IncomingMessage
  socket: Socket
  bytes: number
  since: number
}

/**
 * Closes connections whose client neither sends the rest of a body nor reads a response. Their work is aborted, so that they take
 * no slots at a database. A body that the server is not reading yet, because the call waits for its turn, is not stalled.
 */
export function closeStalledConnections(server: Server, { stallMs, checkMs }: StallLimits = defaults): void {
  const transfers = new Set<Transfer>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const transfer = { request, socket, bytes: -1, since: performance.now() }
    transfers.add(transfer)
    response.once('close', () => transfers.delete(transfer))
  })
  const timer = setInterval(() => {
    for (const transfer of transfers) {
      const bytes = progressOf(transfer)
      if (bytes === undefined || bytes !== transfer.bytes)
        Object.assign(transfer, { bytes: bytes ?? -1, since: performance.now() })
      else if (performance.now() - transfer.since >= stallMs) transfer.socket.destroy()
    }
  }, checkMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

/** Bytes that the client has sent or taken; undefined while the server does not wait for the client. */
function progressOf({ request, socket }: Transfer): number | undefined {
  const isReading = !request.complete && request.readableFlowing === true
  const isWriting = socket.writableLength > 0
  return isReading || isWriting ? socket.bytesRead + socket.bytesWritten - socket.writableLength : undefined
}
