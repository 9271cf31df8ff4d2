import { GenericType } from '@parquetry/model'
import type { KindControlProps } from '../kind.ts'
import { NamesControl } from '../NamesControl.tsx'
import kind from './kind.ts'

export default function TimeColumnControl(props: KindControlProps) {
  return <NamesControl {...props} kind={kind} ask="columns" fits={({ dtype }) => dtype === GenericType.TEMPORAL} />
}
