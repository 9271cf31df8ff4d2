SELECT `Origin` AS `Origin`,
       COUNT(*) AS `count`
FROM `cars`
WHERE (`Horsepower` IS NULL OR `Horsepower` IN (?))
  AND `Origin` IS NOT NULL
GROUP BY `Origin`
ORDER BY `Origin` IS NULL ASC, `Origin` ASC
LIMIT 50000;
-- [150]
