SELECT MAKEDATE(YEAR(`date`), 1) AS `__timestamp`,
       `symbol` AS `symbol`,
       MAX(`price`) AS `MAX(price)`
FROM `stocks`
WHERE `date` >= CAST(? AS DATETIME(6))
  AND `date` < CAST(? AS DATETIME(6))
GROUP BY MAKEDATE(YEAR(`date`), 1),
         `symbol`
ORDER BY `symbol` IS NULL ASC, `symbol` ASC,
         MAX(`price`) IS NULL ASC, MAX(`price`) ASC
LIMIT 50000;
-- ["2005-01-01 00:00:00","2008-01-01 00:00:00"]
