SELECT MAKEDATE(YEAR(`date`), 1) AS `date`,
       `symbol` AS `symbol`,
       MAX(`price`) AS `MAX(price)`
FROM `stocks`
WHERE `date` >= CAST(? AS DATETIME(6))
  AND `date` < CAST(? AS DATETIME(6))
GROUP BY MAKEDATE(YEAR(`date`), 1),
         `symbol`
ORDER BY `date` IS NULL ASC, `date` ASC,
         `symbol` IS NULL ASC, `symbol` ASC
LIMIT 50000;
-- ["2008-01-01 00:00:00","2010-01-01 00:00:00"]

SELECT MAKEDATE(YEAR(`date`), 1) AS `date`,
       `symbol` AS `symbol`,
       MAX(`price`) AS `MAX(price)`
FROM `stocks`
WHERE `date` >= CAST(? AS DATETIME(6))
  AND `date` < CAST(? AS DATETIME(6))
GROUP BY MAKEDATE(YEAR(`date`), 1),
         `symbol`
ORDER BY `date` IS NULL ASC, `date` ASC,
         `symbol` IS NULL ASC, `symbol` ASC
LIMIT 50000;
-- ["2007-01-01 00:00:00","2009-01-01 00:00:00"]
