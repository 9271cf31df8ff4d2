import { callOf, type Call, type Told } from './call.ts'
import type { AnswerOf, ContractOf, Method, OptionsOf, PathOf } from './contracts.ts'

type Arguments<O, Given extends O> = {} extends O ? [options?: Given] : [options: Given]

type Ask<M extends Method> = <P extends PathOf<M>, const O extends OptionsOf<ContractOf<M, P>>>(
  path: P,
  ...options: Arguments<OptionsOf<ContractOf<M, P>>, O>
) => Promise<AnswerOf<ContractOf<M, P>, O>>

/**
 * The API as its contracts say it (`packages/model`): the path is the contract's own, `:name` and all, and parameters, `q`, body
 * and answer have its types.
 */
export interface Client {
  get: Ask<'GET'>
  post: Ask<'POST'>
  put: Ask<'PUT'>
  del: Ask<'DELETE'>
  /** The answer unread: for bytes, streams and headers. */
  send<M extends Method, P extends PathOf<M>, const O extends OptionsOf<ContractOf<M, P>>>(
    method: M,
    path: P,
    ...options: Arguments<OptionsOf<ContractOf<M, P>>, O>
  ): Promise<Response>
}

/**
 * @param send  how this host sends a call: where the server is, who calls, what to do when the session is over. It throws an
 *   `ApiError` for a status of 400 and more, see `failureOf`.
 */
export function createClient(send: (call: Call) => Promise<Response>): Client {
  const json =
    (method: Method) =>
    async (path: string, told: Told = {}): Promise<unknown> => {
      const response = await send(callOf(method, path, told))
      return response.status === 204 ? undefined : response.json()
    }
  return {
    get: json('GET'),
    post: json('POST'),
    put: json('PUT'),
    del: json('DELETE'),
    send: (method: Method, path: string, told: Told = {}) => send(callOf(method, path, told)),
  } as Client
}
