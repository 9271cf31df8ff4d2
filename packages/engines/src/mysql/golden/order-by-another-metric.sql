SELECT `Origin` AS `Origin`,
       COUNT(*) AS `count`
FROM `cars`
GROUP BY `Origin`
ORDER BY MAX(`Acceleration`) IS NULL ASC, MAX(`Acceleration`) ASC
LIMIT 50000;
-- []
