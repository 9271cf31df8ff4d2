/** The part of Handlebars' syntax tree that templates have; the parser's own types leave its statements open. */
interface At {
  loc: { start: { line: number } }
}

export interface Path extends At {
  type: 'PathExpression'
  this: boolean
  data: boolean
  depth: number
  head: unknown
  parts: readonly unknown[]
  original: string
}
export type Literal = At &
  (
    | {
        type: 'StringLiteral' | 'NumberLiteral' | 'BooleanLiteral'
        value: string | number | boolean
        original: unknown
      }
    | { type: 'UndefinedLiteral' | 'NullLiteral'; original: unknown }
  )
interface Called extends At {
  path: Expression
  params: readonly Expression[]
  hash?: Hash
}
export interface SubExpression extends Called {
  type: 'SubExpression'
}
export type Expression = Path | SubExpression | Literal

export interface Hash {
  pairs: readonly { key: string; value: Expression }[]
}
export interface Program {
  body: readonly Node[]
  blockParams?: readonly string[]
}
export interface Block extends Called {
  type: 'BlockStatement' | 'DecoratorBlock'
  program?: Program
  inverse?: Program
}
interface PartialCall extends At {
  name: Expression
  params: readonly Expression[]
  hash?: Hash
}
export type Node =
  | (At & { type: 'ContentStatement'; value: string })
  | (At & { type: 'CommentStatement' })
  | (Called & { type: 'MustacheStatement'; escaped: boolean })
  | (Called & { type: 'Decorator' })
  | Block
  | (PartialCall & { type: 'PartialStatement' })
  | (PartialCall & { type: 'PartialBlockStatement'; program: Program })
