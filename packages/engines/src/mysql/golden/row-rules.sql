SELECT `Origin` AS `Origin`,
       COUNT(*) AS `count`
FROM (SELECT * FROM `cars` WHERE ((`Origin` = 'Japan') OR (`Origin` = 'Europe' -- both
)) AND (`Cylinders` = 4 OR `Cylinders` = 6) LIMIT 18446744073709551615) AS `cars`
WHERE (1 = 1 OR 2 = 2)
GROUP BY `Origin`
ORDER BY `Origin` IS NULL ASC, `Origin` ASC
LIMIT 50000;
-- []
