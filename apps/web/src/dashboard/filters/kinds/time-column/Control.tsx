import { GenericType } from '@parquetry/model'
import type { ControlProps } from '../kind.ts'
import { NamesControl } from '../NamesControl.tsx'
import kind from './kind.ts'

export default function TimeColumnControl(props: ControlProps) {
  return <NamesControl {...props} kind={kind} ask="columns" fits={({ dtype }) => dtype === GenericType.TEMPORAL} />
}
