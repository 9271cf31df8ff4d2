SELECT `Origin` AS `Origin`,
       COUNT(*) AS `count`
FROM `cars`
WHERE `Year` >= CAST(? AS DATETIME(6))
  AND `Year` < ?
GROUP BY `Origin`
ORDER BY `Origin` IS NULL ASC, `Origin` ASC
LIMIT 50000;
-- ["1980-01-01 00:00:00","1982-01-01"]
