/** The part of Handlebars' syntax tree that templates use; the parser's own types leave statements untyped. */
interface Located {
  loc: { start: { line: number } }
}

export interface PathExpression extends Located {
  type: 'PathExpression'
  this: boolean
  data: boolean
  depth: number
  head: unknown
  parts: readonly unknown[]
  original: string
}
export type Literal = Located &
  (
    | {
        type: 'StringLiteral' | 'NumberLiteral' | 'BooleanLiteral'
        value: string | number | boolean
        original: unknown
      }
    | { type: 'UndefinedLiteral' | 'NullLiteral'; original: unknown }
  )
interface CallExpression extends Located {
  path: Expression
  params: readonly Expression[]
  hash?: Hash
}
export interface SubExpression extends CallExpression {
  type: 'SubExpression'
}
export type Expression = PathExpression | SubExpression | Literal

export interface Hash {
  pairs: readonly { key: string; value: Expression }[]
}
export interface Program {
  body: readonly Statement[]
  blockParams?: readonly string[]
}
export interface Block extends CallExpression {
  type: 'BlockStatement' | 'DecoratorBlock'
  program?: Program
  inverse?: Program
}
interface PartialCall extends Located {
  name: Expression
  params: readonly Expression[]
  hash?: Hash
}
export type Statement =
  | (Located & { type: 'ContentStatement'; value: string })
  | (Located & { type: 'CommentStatement' })
  | (CallExpression & { type: 'MustacheStatement'; escaped: boolean })
  | (CallExpression & { type: 'Decorator' })
  | Block
  | (PartialCall & { type: 'PartialStatement' })
  | (PartialCall & { type: 'PartialBlockStatement'; program: Program })
