import { parseExactJson } from '@parquetry/model'
import { buildCall, type Call, type CallInput } from './call.ts'
import type { ResponseOf, ContractOf, Method, OptionsOf, PathOf } from './contracts.ts'

type Arguments<O, Given extends O> = {} extends O ? [options?: Given] : [options: Given]

type CallMethod<M extends Method> = <P extends PathOf<M>, const O extends OptionsOf<ContractOf<M, P>>>(
  path: P,
  ...options: Arguments<OptionsOf<ContractOf<M, P>>, O>
) => Promise<ResponseOf<ContractOf<M, P>, O>>

/**
 * Typed client of the API. Paths are those of the contracts in `packages/model` with their `:name` parameters; parameters, `q`,
 * body and response have the types of the contract, but numbers that JavaScript cannot represent exactly are the text of their
 * digits.
 */
export interface Client {
  get: CallMethod<'GET'>
  post: CallMethod<'POST'>
  put: CallMethod<'PUT'>
  del: CallMethod<'DELETE'>
  /** Returns the raw response, for bytes, streams and headers. */
  send<M extends Method, P extends PathOf<M>, const O extends OptionsOf<ContractOf<M, P>>>(
    method: M,
    path: P,
    ...options: Arguments<OptionsOf<ContractOf<M, P>>, O>
  ): Promise<Response>
}

/**
 * @param send  sends a call for this host: adds the server address and the user, and handles an expired session. It throws an
 * `ApiError` for a status of 400 and more (see `parseErrorResponse`).
 */
export function createClient(send: (call: Call) => Promise<Response>): Client {
  const json =
    (method: Method) =>
    async (path: string, input: CallInput = {}): Promise<unknown> => {
      const response = await send(buildCall(method, path, input))
      return response.status === 204 ? undefined : parseExactJson(await response.text())
    }
  return {
    get: json('GET'),
    post: json('POST'),
    put: json('PUT'),
    del: json('DELETE'),
    send: (method: Method, path: string, input: CallInput = {}) => send(buildCall(method, path, input)),
  } as Client
}
