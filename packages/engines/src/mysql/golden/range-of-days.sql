SELECT `weather` AS `weather`,
       COUNT(*) AS `count`
FROM `seattle_weather`
WHERE `date` >= CAST(? AS DATETIME(6))
  AND `date` < CAST(? AS DATETIME(6))
GROUP BY `weather`
ORDER BY `weather` IS NULL ASC, `weather` ASC
LIMIT 50000;
-- ["2013-02-01 00:00:00","2013-03-01 00:00:00"]
