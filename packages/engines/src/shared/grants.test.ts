import { expect, it } from 'vitest'
import { parseGrants } from './grants.ts'

it('returns the privileges of an account beyond reading', () => {
  const cases: [grants: string[], powers: string[]][] = [
    [["GRANT ALL PRIVILEGES ON *.* TO `root`@`%` IDENTIFIED BY PASSWORD '*x' WITH GRANT OPTION"], ['superuser']],
    [['GRANT USAGE ON *.* TO `r`@`%`', 'GRANT SELECT, SHOW VIEW ON `shop`.* TO `r`@`%`'], []],
    [['GRANT USAGE ON *.* TO `w`@`%`', 'GRANT ALL PRIVILEGES ON `shop`.* TO `w`@`%`'], ['write']],
    [['GRANT SELECT, INSERT (a, b) ON `shop`.`cars` TO `w`@`%`'], ['write']],
    [['GRANT SELECT, FILE ON *.* TO `f`@`%`'], ['files']],
    [['GRANT SELECT, CREATE USER ON *.* TO `a`@`%`'], ['accounts']],
    [['GRANT SELECT ON *.* TO `a`@`%` WITH GRANT OPTION'], ['accounts']],
    [['GRANT ALL ON *.* TO default WITH GRANT OPTION'], ['superuser']],
    [['GRANT SELECT ON default.* TO reader'], []],
    [['GRANT SELECT, INSERT, URL ON *.* TO x'], ['write', 'files']],
    [['GRANT SHOW, SELECT, CREATE TABLE, SYSTEM FLUSH LOGS ON *.* TO x'], ['superuser']],
    [['GRANT `reporting`@`%` TO `r`@`%`'], []],
  ]
  for (const [grants, powers] of cases) expect(parseGrants(grants).toSorted()).toEqual(powers.toSorted())
})
