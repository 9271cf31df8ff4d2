import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, type ErrorCode } from '@parquetry/model'
import type { Settings } from '../settings/settings.ts'
import { errorTranslator } from '../settings/messages.ts'
import { errorBody } from './errors.ts'

/** Errors for codes of Node's HTTP parser. Any other code means that the bytes are not HTTP. */
const parserErrors: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Returns the handler of requests that cannot be read. They reach no route, so the response is written to the connection. */
export function createUnreadableRequestHandler(settings: Settings): (error: Error, socket: Socket) => void {
  const translate = errorTranslator(settings)
  return (error, socket) => {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ECONNRESET' || socket.destroyed) return
    const appError = new AppError(parserErrors[code] ?? 'bad_request')
    const body = Buffer.from(JSON.stringify(errorBody(appError, 'typed', translate)))
    const head = [
      `HTTP/1.1 ${appError.status} ${STATUS_CODES[appError.status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]
    if (socket.writable) socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
    socket.destroy(error)
  }
}
